declare module '#official-modules' {
  const modules: import('./core/modules/load.ts').Bundled['modules']
  export default modules
}

declare module '#svc/routes' {
  const routes: import('./core/types.ts').Route[]
  export default routes
}

declare module '#svc/addresses' {
  const patterns: string[]
  export default patterns
}

/** The folder of the style sheets from build/fallback-fonts.ts, such as `/_fonts/1f2e3d4c`. */
declare module '#svc/fallback-fonts' {
  const folder: string
  export default folder
}
