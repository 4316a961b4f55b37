    // Order of the groups.
    uint256 constant R = {{r}};

    // The domain has n = 2^POWER points, which are the powers of w.
    uint256 constant POWER = {{power}};
    uint256 constant N = {{n}};
    uint256 constant W = {{w}};
    uint256 constant K1 = {{k1}};
    uint256 constant K2 = {{k2}};
