module example.org/ini

go 1.19
