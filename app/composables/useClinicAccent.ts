/** The clinic's accent colour (`#rrggbb`) on the page; null leaves the product's. */
export function useClinicAccent(accent: () => string | null | undefined) {
  useHead({ htmlAttrs: { style: () => accent() ? `--clinic-accent:${accent()};--clinic-accent-light:color-mix(in oklab, ${accent()} 38%, white)` : '' } })
}
