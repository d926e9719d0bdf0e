/** Adds this module's parts to the clinic's screens. */
export default () => {
  useFirstSteps().add({
    label: 'catalog.treatment.priced',
    to: '/catalog',
    also: { label: 'staff.import.open', to: '/catalog/import' },
    permission: 'catalog.write',
    order: 20,
    isDone: async signal =>
      (await useCatalogApi().listTreatments({ active: 'true', page_size: 100 }, signal)).data
        .some(({ unit_price }) => Number(unit_price) > 0)
  })
  useClinicEffects().add({ 'converted prices of treatments': 'catalog.effect.prices' })
  usePaletteSources().add({
    id: 'treatments',
    label: 'catalog.navigation.treatments',
    permission: 'catalog.read',
    async find(search) {
      const { data } = await useCatalogApi().listTreatments({ search, order: 'best', page_size: 5 })
      const locale = useNuxtApp().$i18n.locale.value
      return data.map(({ id, code, name }) => ({
        label: name[locale] ?? Object.values(name)[0] ?? code,
        suffix: code,
        icon: 'i-lucide-book-open',
        to: `/catalog/${id}`
      }))
    }
  })
  usePaletteSources().addPlace({
    label: 'catalog.treatment.add',
    icon: 'i-lucide-plus',
    to: '/catalog/new',
    permission: 'catalog.write'
  })
  usePaletteSources().addPlace({
    label: 'catalog.treatment.import',
    icon: 'i-lucide-upload',
    to: '/catalog/import',
    permission: 'catalog.write'
  })
}
