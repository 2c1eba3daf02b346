//! Our Connect Four engine as a strategy library, with the C functions `getPoint` and `clearPoint` of the course: a judge
//! that plays student strategies can play us.
//!
//! [`Memory`] is the player: it is handed the judge's arguments as a [`Call`] and answers with a cell. The functions
//! themselves and all that is unsafe stand in [`abi`].
//!
//! A judge knows a library, not an object, so the memory is one per process, the only global state in the house. It
//! holds the game under way and follows it from call to call; arguments that do not follow from the last answer
//! begin a new game. Counting stones to find the new game was rejected: a judge that swaps boards could fool it.

pub mod abi;
mod call;
mod memory;

pub use call::Call;
pub use memory::Memory;
