"""The built-in content adapter: it reads text as a reader would and writes down what is there. It judges nothing."""
