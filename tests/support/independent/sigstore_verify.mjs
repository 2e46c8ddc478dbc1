// Verify a DSSE envelope by sigstore's own JavaScript: node sigstore_verify.mjs NODE_MODULES ENVELOPE PUBLIC_KEY
// Prints the payload; ends with 1 and a reason if the signature doesn't hold.
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, envelope, key] = process.argv.slice(2);
const require = createRequire(`${modules}/index.js`);
const { bundleFromJSON } = require("@sigstore/bundle");
const { Verifier, toSignedEntity } = require("@sigstore/verify");

const bundle = bundleFromJSON({
  mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
  verificationMaterial: { publicKey: { hint: "key" }, tlogEntries: [] },
  dsseEnvelope: JSON.parse(readFileSync(envelope, "utf8")),
});
const publicKey = createPublicKey(readFileSync(key, "utf8"));
const trusted = {
  certificateAuthorities: [],
  timestampAuthorities: [],
  tlogs: [],
  ctlogs: [],
  publicKey: () => ({ publicKey, validFor: () => true }),
};
const verifier = new Verifier(trusted, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
try {
  verifier.verify(toSignedEntity(bundle));
} catch (problem) {
  console.error(`${problem.code}: ${problem.message}`);
  process.exit(1);
}
process.stdout.write(bundle.content.dsseEnvelope.payload);
