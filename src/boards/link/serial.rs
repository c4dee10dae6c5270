//! Serial ports: USB, RS-232 and Bluetooth's serial profile. Ports are opened exclusively, in raw mode, with one stop
//! bit and no flow control.

use std::io::{self, ErrorKind as Io, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serialport::{ClearBuffer, DataBits, ErrorKind, FlowControl, SerialPort, StopBits};

use super::error::LinkError;
use super::line::{Carrier, Link, READ_SIZE};
use crate::platform::{IS_WINDOWS, is_device};
use crate::transports::SerialSettings;

/// The timeout of a write. The longest command has 247 bytes, which take 65 ms at 38400 baud.
const WRITE_PATIENCE: Duration = Duration::from_secs(1);

/// An open serial port.
pub struct SerialLink {
    port: Box<dyn SerialPort>,
    name: String,
}

impl SerialLink {
    /// Opens the port `name` exclusively and discards its unread input.
    pub fn open(name: &str, settings: SerialSettings) -> Result<Self, LinkError> {
        let mut port = serialport::new(name, settings.baud)
            .data_bits(DataBits::Eight)
            .parity(serialport::Parity::None)
            .stop_bits(StopBits::One)
            .flow_control(FlowControl::None)
            .timeout(WRITE_PATIENCE)
            .open()
            .map_err(|error| refused(name, error))?;
        // An error is ignored: pseudo-terminals and some adapters have no modem lines, and no board needs them.
        let _ = port.write_data_terminal_ready(true);
        port.clear(ClearBuffer::Input).map_err(|error| refused(name, error))?;
        Ok(Self { port, name: name.to_owned() })
    }

    fn vanished(&self, error: io::Error) -> LinkError {
        LinkError::Vanished { port: self.name.clone(), source: Some(Arc::new(error)) }
    }
}

/// Whether a port's name belongs to Bluetooth's serial profile. Linux calls these ports `rfcomm`; macOS uses the name
/// that the board advertises. The names are from the notes on DGT's boards, section 1.1.
pub fn is_bluetooth(port: &str) -> bool {
    ["rfcomm", "DGT_BT_", "PCS-REVII"].into_iter().any(|name| port.contains(name))
}

impl Link for SerialLink {
    fn carrier(&self) -> Carrier {
        if is_bluetooth(&self.name) { Carrier::LateStream } else { Carrier::Stream }
    }

    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError> {
        let mut buffer = vec![0; READ_SIZE];
        if let Err(error) = self.port.set_timeout(patience) {
            return Err(self.vanished(error.into()));
        }
        match self.port.read(&mut buffer) {
            // The port is ready but returns no bytes: its other end was closed.
            Ok(0) => Err(LinkError::Vanished { port: self.name.clone(), source: None }),
            Ok(count) => {
                buffer.truncate(count);
                Ok(buffer)
            }
            Err(error) if matches!(error.kind(), Io::TimedOut | Io::WouldBlock | Io::Interrupted) => {
                Ok(Vec::new())
            }
            Err(error) => Err(self.vanished(error)),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        let patience = self.port.set_timeout(WRITE_PATIENCE).map_err(io::Error::from);
        patience.and_then(|()| self.port.write_all(bytes)).map_err(|error| self.vanished(error))
    }
}

/// Converts the error of a port that could not be opened.
fn refused(name: &str, error: serialport::Error) -> LinkError {
    let port = name.to_owned();
    match error.kind() {
        ErrorKind::Io(Io::NotFound) => LinkError::Missing { port },
        // On Windows this error means that another program uses the port.
        ErrorKind::Io(Io::PermissionDenied) if IS_WINDOWS => LinkError::Busy { port },
        ErrorKind::Io(Io::PermissionDenied) => LinkError::NoPermission { port },
        // The meaning of `NoDevice` depends on the system. On Windows the port is missing; on other systems another
        // program uses the port.
        ErrorKind::NoDevice if IS_WINDOWS => LinkError::Missing { port },
        ErrorKind::NoDevice => LinkError::Busy { port },
        // This is the error text of Unix for a device that is not a terminal, such as /dev/null.
        _ if error.description == "Not a typewriter" || !is_device(Path::new(name)) => {
            LinkError::NotSerial { port }
        }
        _ => LinkError::Failed { port, source: Arc::new(error.into()) },
    }
}
