package greeter

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func serve(t *testing.T, method, body string, wantStatus int, wantBody string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(method, "/greet", strings.NewReader(body)))
	if w.Code != wantStatus {
		t.Errorf("status %d, want %d", w.Code, wantStatus)
	}
	if got := w.Body.String(); got != wantBody {
		t.Errorf("body %q, want %q", got, wantBody)
	}
	return w
}

func TestGreet(t *testing.T) {
	serve(t, http.MethodPost, `{"name": "Ada"}`, http.StatusOK, "Hello, Ada!")
}

func TestGreetNobody(t *testing.T) {
	serve(t, http.MethodPost, `{}`, http.StatusOK, "Hello, you!")
}

func TestBadJSON(t *testing.T) {
	serve(t, http.MethodPost, `{`, http.StatusBadRequest, "bad JSON\n")
}

func TestGet(t *testing.T) {
	w := serve(t, http.MethodGet, "", http.StatusMethodNotAllowed, "POST only\n")
	if got := w.Header().Get("Allow"); got != "POST" {
		t.Errorf("Allow %q", got)
	}
}
