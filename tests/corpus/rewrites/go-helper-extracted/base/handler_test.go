package greeter

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestGreet(t *testing.T) {
	r := httptest.NewRequest("POST", "/greet", strings.NewReader(`{"name": "Ada"}`))
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("status %d", w.Code)
	}
	if w.Body.String() != "Hello, Ada!" {
		t.Errorf("body %q", w.Body.String())
	}
}

func TestGreetNobody(t *testing.T) {
	r := httptest.NewRequest("POST", "/greet", strings.NewReader(`{}`))
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("status %d", w.Code)
	}
	if w.Body.String() != "Hello, you!" {
		t.Errorf("body %q", w.Body.String())
	}
}

func TestBadJSON(t *testing.T) {
	r := httptest.NewRequest("POST", "/greet", strings.NewReader(`{`))
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest {
		t.Errorf("status %d", w.Code)
	}
	if w.Body.String() != "bad JSON\n" {
		t.Errorf("body %q", w.Body.String())
	}
}

func TestGet(t *testing.T) {
	r := httptest.NewRequest("GET", "/greet", nil)
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("status %d", w.Code)
	}
	if w.Header().Get("Allow") != "POST" {
		t.Errorf("Allow %q", w.Header().Get("Allow"))
	}
}
