//! Lines to and from a foreign player, with a time limit on every answer.

use super::{
    Decision, Protocol,
    answer::{Answer, Foul},
};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// Most bytes of an answer line.
const MAX_LINE: usize = 1 << 16;
/// Lines read ahead; a player that writes more waits.
const READ_AHEAD: usize = 16;

/// A connection. Reading and writing happen on threads of their own, so that neither a player that does not
/// answer nor one that does not read can hold the game up beyond its limit.
pub struct Wire {
    out: Sender<String>,
    lines: Receiver<Result<String, Foul>>,
    /// Closed when everything is written.
    written: Receiver<()>,
    /// Decisions that were given up and may still be answered.
    overdue: u32,
}

impl Wire {
    /// A connection over a reader and a writer; both are dropped when it ends or breaks.
    ///
    /// # Errors
    /// When the system gives no more threads.
    pub fn new(
        reader: impl Read + Send + 'static,
        mut writer: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        let (out, to_write) = channel::<String>();
        let (read, lines) = sync_channel(READ_AHEAD);
        let (writing, written) = channel();
        thread::Builder::new().name("seat-out".into()).spawn(move || {
            let _writing: Sender<()> = writing;
            for line in to_write {
                let sent = writer.write_all(line.as_bytes()).and_then(|()| writer.write_all(b"\n"));
                if sent.and_then(|()| writer.flush()).is_err() {
                    return;
                }
            }
        })?;
        thread::Builder::new().name("seat-in".into()).spawn(move || read_lines(reader, &read))?;
        Ok(Self { out, lines, written, overdue: 0 })
    }

    /// Sends a line; false when the player is known to take no more.
    pub fn tell(&self, line: String) -> bool {
        self.out.send(line).is_ok()
    }

    /// Ends the connection when everything is written, or after `limit`.
    pub fn close(self, limit: Duration) {
        drop(self.out);
        // Nothing is ever sent: either it closes or the time is over.
        _ = self.written.recv_timeout(limit);
    }

    /// Asks for a decision and waits for its answer.
    ///
    /// An answer may carry the `id` of its decision; one without answers the oldest decision that is open.
    /// # Errors
    /// The [`Foul`] by which the seat forfeits. The connection may be asked again.
    pub fn ask(&mut self, protocol: &Protocol, decision: &Decision<'_>) -> Result<u32, Foul> {
        let until = Instant::now() + decision.limit;
        if !self.tell(protocol.decision(decision)) {
            return Err(Foul::Closed);
        }
        loop {
            let line = match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => line?,
                Err(RecvTimeoutError::Disconnected) => return Err(Foul::Closed),
                Err(RecvTimeoutError::Timeout) => {
                    self.overdue += 1;
                    return Err(Foul::Late { seconds: decision.limit.as_secs_f64() });
                }
            };
            let answer = Answer::read(&line);
            match answer.as_ref().ok().and_then(|a| a.id) {
                Some(id) if id < decision.id => self.overdue = self.overdue.saturating_sub(1),
                Some(id) if id > decision.id => return Err(Foul::OtherDecision { id, asked: decision.id }),
                None if self.overdue > 0 => self.overdue -= 1,
                _ => return protocol.choose(&answer?, decision.mask),
            }
        }
    }
}

fn read_lines(reader: impl Read, lines: &SyncSender<Result<String, Foul>>) {
    let mut reader = BufReader::new(reader);
    loop {
        let mut bytes = Vec::new();
        match (&mut reader).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(n) if n > MAX_LINE => {
                // Where the next line begins is not worth searching for.
                _ = lines.send(Err(Foul::TooLong { most: MAX_LINE }));
                return;
            }
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim();
        if !line.is_empty() && lines.send(Ok(line.to_owned())).is_err() {
            return;
        }
    }
}
