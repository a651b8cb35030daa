//! Four small games that prove the step API: CartPole, tic-tac-toe, Kuhn poker, rock-paper-scissors.
