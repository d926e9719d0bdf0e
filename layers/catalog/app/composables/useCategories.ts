/** The categories of treatments, in the page's language. */
export function useCategories() {
  const catalog = useCatalogApi()
  const inLanguage = useInLanguage()
  const { data } = useLoaded(signal => catalog.listCategories(signal))

  const categories = computed(() =>
    (data.value?.data ?? []).map(({ code, name }) => ({ value: code, label: inLanguage(name) }))
  )
  return {
    categories,
    nameOf: (code: string | null) =>
      code === null ? '' : (categories.value.find(({ value }) => value === code)?.label ?? code)
  }
}
