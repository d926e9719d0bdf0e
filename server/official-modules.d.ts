declare module '#official-modules' {
  const bundled: import('./core/modules/load.ts').Bundled
  export default bundled
}
