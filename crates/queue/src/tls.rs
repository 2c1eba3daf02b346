//! TLS to the database, as the address asks for it.
//!
//! `sslmode=require` and the stronger modes check the server's certificate, against the system's authorities or the file
//! that `sslrootcert` names. `prefer`, what an address that says nothing means, encrypts where the server can and checks
//! nothing, as libpq does: Debian's own certificate is signed by nobody.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::QueueError;

/// How connections are encrypted: checked against these authorities, or not checked.
pub(crate) fn connector(checked: bool, authorities: Option<&Path>) -> Result<MakeRustlsConnect, QueueError> {
    if checked && authorities.is_none() {
        return MakeRustlsConnect::with_native_certs()
            .map(|(connector, _)| connector)
            .map_err(|errors| bad(format!("{errors:?}")));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().map_err(bad)?;
    let config = match authorities {
        Some(file) => builder.with_root_certificates(read(file)?).with_no_client_auth(),
        None => {
            let anybody = Arc::new(Anybody(provider));
            builder.dangerous().with_custom_certificate_verifier(anybody).with_no_client_auth()
        }
    };
    Ok(MakeRustlsConnect::new(config))
}

fn read(file: &Path) -> Result<RootCertStore, QueueError> {
    let named = |why: String| QueueError::Address(format!("sslrootcert={}: {why}", file.display()));
    let mut authorities = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| named(error.to_string()))? {
        let certificate = certificate.map_err(|error| named(error.to_string()))?;
        authorities.add(certificate).map_err(|error| named(error.to_string()))?;
    }
    Ok(authorities)
}

fn bad(error: impl std::fmt::Display) -> QueueError {
    QueueError::Address(format!("TLS: {error}"))
}

/// Takes every certificate: the connection is secret to those who only listen.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
