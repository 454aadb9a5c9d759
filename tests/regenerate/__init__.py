"""Programs that write the data the tests compare with."""
