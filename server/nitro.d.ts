// Types of Nitro internals that it does not export.
declare module '#nitro-internal-pollyfills'
declare module '#nitro-internal-virtual/public-assets' {
  /** The asset of a static file; undefined for any other path. */
  export function getAsset(id: string): object | undefined
}
