//! Settlers: the base game of Catan, exact, for two to four seats.
