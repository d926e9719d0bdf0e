declare module 'subset-font' {
  interface Options {
    targetFormat: 'sfnt' | 'woff' | 'woff2'
    /** A number pins the axis. */ variationAxes?: Record<string, number>
    keepAllGlyphs?: boolean
    noHinting?: boolean
  }
  export default function subsetFont(font: Uint8Array, text: string | undefined, options: Options): Promise<Uint8Array>
}
