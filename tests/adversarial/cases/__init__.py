"""The twins, by what they lie about."""
