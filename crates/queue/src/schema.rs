//! The tables, the steps that bring an older database up to date, and the roles.
//!
//! Steps are only ever added; one that was published is never changed, because databases that took it will not take it
//! again. The functions are made anew by every `init`: they hold nothing.

use std::time::Duration;

use crate::link::{Link, without_password};
use crate::{QueueError, hex};

/// Each step brings a database from the version that is its index to the next one.
const STEPS: [&str; 1] = [include_str!("schema/1.sql")];
const FUNCTIONS: &str = include_str!("schema/functions.sql");

/// Two who init at once do so one after the other.
const LOCK: i64 = 0x6c69_616e_7a69;

const ROLES: &str = "DO $$ DECLARE role text; BEGIN
    FOREACH role IN ARRAY ARRAY['lianzi_worker', 'lianzi_filer'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN EXECUTE format('CREATE ROLE %I NOLOGIN', role); END IF;
    END LOOP; END $$";

/// Who a login is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Takes games and writes results.
    Worker,
    /// Files contests, too.
    Filer,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Worker => "lianzi_worker",
            Role::Filer => "lianzi_filer",
        }
    }
}

/// Makes tables, functions and roles, or brings them up to date.
pub fn init(link: &Link, lease: Option<Duration>) -> Result<(), QueueError> {
    take(link, &STEPS, lease)
}

/// Takes those of these steps that were not taken yet, all or none.
fn take(link: &Link, steps: &[&str], lease: Option<Duration>) -> Result<(), QueueError> {
    link.within(async |transaction| {
        transaction.batch_execute(&format!("SELECT pg_advisory_xact_lock({LOCK})")).await?;
        transaction.batch_execute(ROLES).await?;
        transaction
            .batch_execute(
                "CREATE SCHEMA IF NOT EXISTS lianzi; SET LOCAL search_path = lianzi, pg_temp;
                 CREATE TABLE IF NOT EXISTS steps (taken integer NOT NULL)",
            )
            .await?;
        // Asked under the lock, so that nobody has taken more meanwhile.
        let taken: i32 = transaction.query_one("SELECT coalesce(max(taken), 0) FROM steps", &[]).await?.get(0);
        let taken = taken.max(0) as usize;
        for step in steps.get(taken..).ok_or(QueueError::Newer(taken))? {
            transaction.batch_execute(step).await?;
        }
        transaction.execute("INSERT INTO steps VALUES ($1)", &[&(steps.len() as i32)]).await?;
        transaction.batch_execute(FUNCTIONS).await?;
        if let Some(lease) = lease {
            let seconds = lease.as_secs_f64();
            transaction.execute("UPDATE settings SET lease = make_interval(secs => $1)", &[&seconds]).await?;
        }
        Ok(())
    })
}

/// Whether the database is one of this version.
pub fn check(link: &Link) -> Result<(), QueueError> {
    check_steps(link, STEPS.len())
}

fn check_steps(link: &Link, steps: usize) -> Result<(), QueueError> {
    match version(link)? {
        None => Err(QueueError::Bare),
        Some(version) if version < steps => Err(QueueError::Older(version)),
        Some(version) if version > steps => Err(QueueError::Newer(version)),
        Some(_) => Ok(()),
    }
}

fn version(link: &Link) -> Result<Option<usize>, QueueError> {
    let there: bool = link.row("SELECT to_regclass('lianzi.steps') IS NOT NULL", &[])?.get(0);
    if !there {
        return Ok(None);
    }
    let taken: i32 = link.row("SELECT coalesce(max(taken), 0) FROM lianzi.steps", &[])?.get(0);
    Ok(Some(taken.max(0) as usize))
}

/// Makes a login of this name with a new password, or gives it one; the password.
pub fn add_login(link: &Link, name: &str, role: Role) -> Result<String, QueueError> {
    let mut bytes = [0; 18];
    getrandom::fill(&mut bytes).map_err(|error| QueueError::Refused(error.to_string()))?;
    let password = hex(&bytes);
    let quoted: String = link.row("SELECT quote_ident($1)", &[&name])?.get(0);
    let there: bool = link.row("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", &[&name])?.get(0);
    let verb = if there { "ALTER" } else { "CREATE" };
    link.batch(&format!("{verb} ROLE {quoted} LOGIN PASSWORD '{password}'; GRANT {} TO {quoted}", role.name()))?;
    Ok(password)
}

/// An address like this one for another user.
pub fn address_for(address: &str, user: &str, password: &str) -> String {
    let shown = without_password(address);
    let (scheme, rest) = shown.split_once("://").unwrap_or(("postgres", &shown));
    let place = rest.split_once('@').map_or(rest, |(_, place)| place);
    format!("{scheme}://{user}:{password}@{place}")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::Address;
    use crate::private::Cluster;

    /// A queue of today, with a job in it, meets programs of later days that have taken more steps.
    #[test]
    fn an_older_queue_is_brought_up_to_date_by_steps() {
        let cluster = Cluster::start(&[]).expect("PostgreSQL is installed: apt-get install postgresql");
        let link = Link::open(&Address::read(&cluster.address(), None).unwrap(), &[]).unwrap();
        init(&link, Some(Duration::from_secs(7))).unwrap();
        link.query("SELECT lianzi.file_job('a', 'contest', 'gomoku', 'old', 'v', '{}', '{}')", &[]).unwrap();
        let later = [&STEPS[..], &["ALTER TABLE jobs ADD COLUMN weight integer NOT NULL DEFAULT 3"]].concat();
        assert_eq!(check_steps(&link, later.len()), Err(QueueError::Older(STEPS.len())));
        // Twice: a step that was taken is not taken again.
        for _ in 0..2 {
            take(&link, &later, None).unwrap();
        }
        assert_eq!(check_steps(&link, later.len()), Ok(()));
        let row = link.row("SELECT title, weight FROM lianzi.jobs", &[]).unwrap();
        assert_eq!((row.get::<_, &str>(0), row.get::<_, i32>(1)), ("old", 3), "what was filed is still there");
        let lease: f64 = link.row("SELECT extract(epoch FROM lease)::float8 FROM lianzi.settings", &[]).unwrap().get(0);
        assert_eq!(lease, 7.0);
        // This program is the older one now, and leaves everything alone.
        let newer = Err(QueueError::Newer(later.len()));
        assert_eq!((check(&link), init(&link, None)), (newer.clone(), newer));
        // A step that fails in its middle has changed nothing.
        let broken = [&later[..], &["ALTER TABLE jobs ADD COLUMN half integer; SELECT nothing FROM nowhere"]].concat();
        assert!(take(&link, &broken, None).is_err());
        assert_eq!(check_steps(&link, later.len()), Ok(()));
        assert!(link.query("SELECT half FROM lianzi.jobs", &[]).is_err());
    }
}
