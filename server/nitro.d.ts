// Parts of Nitro that it does not type for us.
declare module '#nitro-internal-pollyfills'
declare module '#nitro-internal-virtual/public-assets' {
  /** Of a file that is served as it is; undefined for any other path. */
  export function getAsset(id: string): object | undefined
}
