//! Who asks, as far as bounds are concerned, and how many places each may take.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;

use crate::bounds::Most;

/// Somebody who asks: an address, or the network of IPv6 addresses that one household has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visitor(IpAddr);

/// The part of an IPv6 address that names a network.
const NETWORK: u128 = !(u64::MAX as u128);

impl From<IpAddr> for Visitor {
    fn from(address: IpAddr) -> Visitor {
        Visitor(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
            address => address,
        })
    }
}

impl Visitor {
    /// Whom a proxy asks for. It appends the address to those that the page itself may have made up.
    pub fn behind_proxy(headers: &HeaderMap) -> Option<Visitor> {
        let named = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        named.rsplit(',').next()?.trim().parse().ok().map(|address: IpAddr| address.into())
    }

    /// What the library knows the visitor by: nobody can tell the address from it without the secret.
    pub fn mark(self, secret: &str) -> lianzi_store::Hash {
        lianzi_store::hash(&format!("{secret} {}", self.0))
    }
}

/// Places that are taken for a while, bounded in all and for each visitor.
pub struct Places {
    most: Most,
    taken: Mutex<HashMap<Visitor, usize>>,
}

/// A place, or several at once, for as long as this lives.
pub struct Place {
    places: Arc<Places>,
    visitor: Visitor,
    size: usize,
}

impl Places {
    /// So many places.
    pub fn new(most: Most) -> Arc<Places> {
        Arc::new(Places { most, taken: Mutex::default() })
    }

    /// Takes a place, if one is free.
    pub fn take(self: &Arc<Places>, visitor: Visitor) -> Option<Place> {
        self.take_within(visitor, 1, self.most.each)
    }

    /// Takes so many places at once, or a visitor's whole share if that is less: who has taken nothing gets what is
    /// larger than any share.
    pub fn take_many(self: &Arc<Places>, visitor: Visitor, size: usize) -> Option<Place> {
        self.take_within(visitor, size.min(self.most.each), self.most.each)
    }

    /// The same for a visitor that may have so many, such as a proxy.
    pub fn take_within(self: &Arc<Places>, visitor: Visitor, size: usize, each: usize) -> Option<Place> {
        let mut taken = self.lock();
        let own = taken.get(&visitor).copied().unwrap_or(0);
        if own + size > each || taken.values().sum::<usize>() + size > self.most.all {
            return None;
        }
        taken.insert(visitor, own + size);
        Some(Place { places: Arc::clone(self), visitor, size })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Visitor, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        match taken.get_mut(&self.visitor) {
            Some(own) if *own > self.size => *own -= self.size,
            _ => drop(taken.remove(&self.visitor)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(text: &str) -> Visitor {
        text.parse::<IpAddr>().unwrap().into()
    }

    #[test]
    fn a_household_is_one_visitor_and_a_page_cannot_choose_its_address() {
        assert_eq!(visitor("2001:db8:1:2::1"), visitor("2001:db8:1:2:ffff::9"));
        assert_ne!(visitor("2001:db8:1:2::1"), visitor("2001:db8:1:3::1"));
        assert_eq!(visitor("::ffff:10.0.0.1"), visitor("10.0.0.1"));
        let mut headers = HeaderMap::new();
        assert_eq!(Visitor::behind_proxy(&headers), None);
        headers.append("x-forwarded-for", "1.1.1.1".parse().unwrap());
        headers.append("x-forwarded-for", "2.2.2.2, 10.0.0.9".parse().unwrap());
        assert_eq!(Visitor::behind_proxy(&headers), Some(visitor("10.0.0.9")));
    }

    #[test]
    fn places_are_bounded_and_come_back() {
        let places = Places::new(Most { all: 3, each: 2 });
        let own = [(); 2].map(|()| places.take(visitor("10.0.0.1")).unwrap());
        assert!(places.take(visitor("10.0.0.1")).is_none());
        let other = places.take(visitor("10.0.0.2"));
        assert!(other.is_some() && places.take(visitor("10.0.0.3")).is_none());
        drop(own);
        assert!(places.take(visitor("10.0.0.3")).is_some());
        drop(other);
        assert!(places.lock().is_empty());
        let large = places.take_many(visitor("10.0.0.1"), 100);
        assert!(large.is_some() && places.take(visitor("10.0.0.1")).is_none(), "it fills the share");
        assert!(places.take_many(visitor("10.0.0.2"), 2).is_none() && places.take(visitor("10.0.0.2")).is_some());
        drop(large);
        assert!(places.lock().is_empty());
    }
}
