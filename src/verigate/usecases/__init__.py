"""What the gate can be asked to do, each as one module: the order of the stages, and nothing of a command line."""
