module example.org/appdirs

go 1.19
