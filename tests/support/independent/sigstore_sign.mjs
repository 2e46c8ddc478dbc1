// Sign a statement by sigstore's own JavaScript, with services of sigstore's own mock on this machine:
//   node sigstore_sign.mjs NODE_MODULES STATEMENT IDENTITY ISSUER BUNDLE TRUSTED_ROOT
// Writes the bundle, and the trusted root by which it can be verified.
import { createHash, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [modules, statement, identity, issuer, bundleFile, rootFile] = process.argv.slice(2);
const require = createRequire(`${modules}/index.js`);
const { bundleToJSON } = require("@sigstore/bundle");
const mock = require("@sigstore/mock");
const { DSSEBundleBuilder, FulcioSigner, RekorWitness } = require("@sigstore/sign");

const makeKeys = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const ctlog = await mock.initializeCTLog(makeKeys());
const ca = await mock.initializeCA(makeKeys(), ctlog);
const tlog = await mock.initializeTLog("https://rekor.example.com", makeKeys());
const sha256 = (data) => createHash("sha256").update(data);

// Rekor writes a certificate as Go does: lines of 64 characters, and a line end.
function encodePem(text) {
  const der = new X509Certificate(Buffer.from(text, "base64")).raw.toString("base64");
  const lines = der.match(/.{1,64}/g).join("\n");
  return Buffer.from(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`).toString("base64");
}

// The mock logs what is proposed. Rekor itself logs what this makes of it.
function canonicalEntry(proposed) {
  const { envelope, verifiers } = proposed.spec.proposedContent;
  const read = JSON.parse(envelope);
  const hash = (data) => ({ algorithm: "sha256", value: sha256(data).digest("hex") });
  return {
    apiVersion: proposed.apiVersion,
    kind: proposed.kind,
    spec: {
      envelopeHash: hash(envelope),
      payloadHash: hash(Buffer.from(read.payload, "base64")),
      signatures: read.signatures.map(({ sig }, at) => ({ signature: sig, verifier: encodePem(verifiers[at]) })),
    },
  };
}

const certificates = mock.fulcioHandler(ca);
const entries = mock.rekorHandler(tlog);
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const logs = request.url === entries.path;
  const answer = await (logs ? entries.fn(JSON.stringify(canonicalEntry(JSON.parse(body)))) : certificates.fn(body));
  response.writeHead(answer.statusCode, { "Content-Type": answer.contentType ?? "text/plain" });
  response.end(answer.response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;

const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = [part({ alg: "none" }), part({ sub: identity, iss: issuer, aud: "sigstore" }), ""].join(".");
const signer = new FulcioSigner({ fulcioBaseURL: url, identityProvider: { getToken: async () => token } });
const witness = new RekorWitness({ rekorBaseURL: url, entryType: "dsse" });
const builder = new DSSEBundleBuilder({ signer, witnesses: [witness] });
const bundle = await builder.create({ data: readFileSync(statement), type: "application/vnd.in-toto+json" });
server.close();
const document = bundleToJSON(bundle);
for (const entry of document.verificationMaterial.tlogEntries) {
  // The mock's log has one entry. JSON of protobuf leaves its zero out, and sigstore's Python wants to read it.
  entry.inclusionProof = { logIndex: "0", hashes: [], ...entry.inclusionProof };
}
writeFileSync(bundleFile, JSON.stringify(document));

const start = new Date(Date.now() - 60_000).toISOString();
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const log = (instance, id) => ({
  baseUrl: "https://rekor.example.com",
  hashAlgorithm: "SHA2_256",
  publicKey: {
    rawBytes: base64(instance.publicKey),
    keyDetails: "PKIX_ECDSA_P256_SHA_256",
    validFor: { start },
  },
  logId: { keyId: base64(id) },
});
const root = {
  mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
  tlogs: [log(tlog, sha256(tlog.publicKey).digest())],
  certificateAuthorities: [
    {
      subject: { organization: "sigstore.mock", commonName: "sigstore" },
      uri: "https://fulcio.example.com",
      certChain: { certificates: [{ rawBytes: base64(ca.rootCertificate) }] },
      validFor: { start },
    },
  ],
  ctlogs: [log(ctlog, ctlog.logID)],
  timestampAuthorities: [],
};
writeFileSync(rootFile, JSON.stringify(root));
