/**
 * Imported before the service: makes `localhost` resolve to 127.0.0.1 and 127.0.0.2, just as it also resolves to ::1 on machines with IPv6.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
const { lookup } = dns;
const { lookup: lookupLater } = dns.promises;

dns.lookup = (name, options, found) => {
  if (name !== 'localhost') return lookup(name, options, found);
  if (options.all) found(null, ADDRESSES);
  else found(null, ADDRESSES[0].address, ADDRESSES[0].family);
};
dns.promises.lookup = async (name, options = {}) => {
  if (name !== 'localhost') return lookupLater(name, options);
  return options.all ? ADDRESSES : ADDRESSES[0];
};
syncBuiltinESMExports();
