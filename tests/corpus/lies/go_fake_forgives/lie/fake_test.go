package shop

type fake struct{ pending, stored map[string]string }

func newFake() *fake {
	return &fake{pending: map[string]string{}, stored: map[string]string{}}
}

func (f *fake) Put(key, value string) {
	f.pending[key] = value
	f.Commit()
}

func (f *fake) Commit() {
	for key, value := range f.pending {
		f.stored[key] = value
	}
}
