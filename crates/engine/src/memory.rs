//! What the processor and the system can do for large tables.

/// Asks the system for large pages. Random access to a large table spends more time on finding pages than on reading
/// them, unless pages are large.
pub(crate) fn ask_for_huge_pages<T>(entries: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 2 << 20;
        let bytes = entries.as_mut_ptr_range();
        let first = (bytes.start as usize).next_multiple_of(PAGE);
        let length = (bytes.end as usize).saturating_sub(first) / PAGE * PAGE;
        if length > 0 {
            let start = bytes.start.wrapping_byte_add(first - bytes.start as usize);
            // SAFETY: the whole pages inside the slice; the advice changes how they are kept, not what they hold.
            // If the system does not take it, nothing is lost.
            #[allow(unsafe_code)]
            let _ = unsafe { madvise(start.cast(), length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = entries;
}

/// Asks the processor to have an entry at hand soon.
#[inline(always)]
pub(crate) fn prefetch<T>(entry: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address changes nothing; this one is even that of a living entry.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>((&raw const *entry).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entry;
}
