// Work
