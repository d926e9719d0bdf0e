declare module '#official-modules' {
  const modules: import('./core/modules/load.ts').Bundled['modules']
  export default modules
}

declare module '#svc/routes' {
  const routes: import('./core/http/scan.ts').Route[]
  export default routes
}

declare module '#svc/addresses' {
  const patterns: string[]
  export default patterns
}
