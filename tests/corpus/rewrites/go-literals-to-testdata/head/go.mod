module example.org/toc

go 1.19
