/** The clinic's accent colour on its own screens; without one, the product's. */
export function useClinicAccent() {
  const { accent } = useSession()
  useHead({ htmlAttrs: { style: () => accent.value ? `--clinic-accent:${accent.value};--clinic-accent-light:color-mix(in oklab, ${accent.value} 38%, white)` : '' } })
}
