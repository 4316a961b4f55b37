"""``python -m pairwright`` runs the command ``pairwright``."""

from ._command import main

if __name__ == "__main__":
    main()
