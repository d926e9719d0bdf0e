declare module 'pngjs' {
  interface Image { width: number, height: number, data: Buffer }
  export const PNG: { sync: {
    read(bytes: Buffer): Image
    write(image: Image, options?: { colorType?: number, inputColorType?: number, deflateLevel?: number }): Buffer
  } }
}
