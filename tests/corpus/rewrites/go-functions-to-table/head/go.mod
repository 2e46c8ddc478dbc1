module example.org/webpath

go 1.19
