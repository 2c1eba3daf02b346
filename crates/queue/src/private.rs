//! A PostgreSQL of one's own in a temporary folder, reached through a socket in it: for tests, benches and trying out.
//!
//! PostgreSQL refuses to run as root; then it runs as `nobody`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The user and group that own nothing.
#[cfg(unix)]
const NOBODY: u32 = 65_534;

/// A running cluster. It ends when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    programs: PathBuf,
}

impl Cluster {
    /// Where the server's programs are, if they are installed: Debian keeps them away from the path.
    pub fn programs() -> Option<PathBuf> {
        let found = |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let mut debian: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).filter(found).collect();
        debian.sort();
        let path = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).find(found);
        debian.pop().or(path)
    }

    /// Makes a cluster and starts it, with these settings beside its usual ones.
    pub fn start(settings: &[&str]) -> io::Result<Cluster> {
        let missing =
            || io::Error::new(io::ErrorKind::NotFound, "PostgreSQL is not installed: apt-get install postgresql");
        let programs = Cluster::programs().ok_or_else(missing)?;
        let folder = tempfile::Builder::new().prefix("lianzi-pg").tempdir()?;
        give_away(folder.path())?;
        let cluster = Cluster { folder, programs };
        let data = cluster.data();
        let mut initdb = cluster.command("initdb");
        initdb.args(["--username=lianzi", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"]);
        cluster.run(initdb.arg(&data))?;
        let mut config = fs::read_to_string(data.join("postgresql.conf"))?;
        config += &format!(
            "\nlisten_addresses = ''\nunix_socket_directories = '{}'\nmax_connections = 200\n",
            cluster.folder.path().display()
        );
        // A cluster that goes with its process need not survive the machine.
        config += "fsync = off\nshared_buffers = 64MB\n";
        settings.iter().for_each(|setting| config += &format!("{setting}\n"));
        fs::write(data.join("postgresql.conf"), config)?;
        cluster.up()?;
        Ok(cluster)
    }

    /// The address of its database.
    pub fn address(&self) -> String {
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://lianzi@{socket}/postgres")
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its settings and tables.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts it, and waits until it answers.
    pub fn up(&self) -> io::Result<()> {
        let mut start = self.command("pg_ctl");
        let log = self.folder.path().join("log");
        start.args(["-w", "-t", "60", "-D"]).arg(self.data()).arg("-l").arg(log).arg("start");
        self.run(&mut start)
    }

    /// Stops it as a power cut would.
    pub fn down(&self) -> io::Result<()> {
        let mut stop = self.command("pg_ctl");
        self.run(stop.args(["-w", "-m", "immediate", "-D"]).arg(self.data()).arg("stop"))
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env_remove("PGDATA");
        lower(&mut command);
        command
    }

    /// Runs one of its programs to its end; what it says goes to a file, since a server that stays keeps its ends open.
    fn run(&self, command: &mut Command) -> io::Result<()> {
        let said = self.folder.path().join("said");
        let file = File::create(&said)?;
        let status = command.stdout(file.try_clone()?).stderr(file).status()?;
        if status.success() {
            return Ok(());
        }
        Err(io::Error::other(fs::read_to_string(said).unwrap_or_default()))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.down();
        // Its processes end at their own pace; their files must not appear anew in a folder that is being removed.
        let end = Instant::now() + Duration::from_secs(5);
        while self.data().join("postmaster.pid").exists() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// Gives the folder to whoever will run the server.
#[cfg(unix)]
fn give_away(folder: &Path) -> io::Result<()> {
    if is_root() { std::os::unix::fs::chown(folder, Some(NOBODY), Some(NOBODY)) } else { Ok(()) }
}

/// Lets a program run as somebody who is not root.
#[cfg(unix)]
fn lower(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
}

#[cfg(not(unix))]
fn give_away(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn lower(_: &mut Command) {}
