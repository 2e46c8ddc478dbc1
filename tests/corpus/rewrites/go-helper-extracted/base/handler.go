package greeter

import (
	"encoding/json"
	"net/http"
)

// Handler greets by name.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/greet", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "POST only", http.StatusMethodNotAllowed)
			return
		}
		var body struct{ Name string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, "bad JSON", http.StatusBadRequest)
			return
		}
		if body.Name == "" {
			body.Name = "you"
		}
		_, _ = w.Write([]byte("Hello, " + body.Name + "!"))
	})
	return mux
}
