const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/

/** No part of a key comes from outside. Even if it did, this check keeps it inside its folder or bucket. */
export function assertKey(key: string): void {
  if (!KEY.test(key) || key.length > 200) throw new RangeError('a document key consists of a-z0-9._- and /')
}

export const taken = (key: string) =>
  Object.assign(new Error(`${key} exists already, with other bytes`), { code: 'EEXIST' })
export const missing = (key: string) => Object.assign(new Error(`${key} is not there`), { code: 'ENOENT' })
