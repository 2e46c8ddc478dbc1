module example.org/sets

go 1.19
