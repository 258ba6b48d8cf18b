module github.com/kairship-io/kairship

go 1.26.8
