/**
 * The field named in the URL (`?field=email`), or null. The page focuses it when it opens. The parameter is removed
 * from the URL at once, so that a reload starts at the top.
 */
export function useAskedField(): string | null {
  const route = useRoute()
  const router = useRouter()
  const field = [route.query.field].flat()[0] ?? null
  onMounted(() => {
    if (field) void router.replace({ query: { ...route.query, field: undefined } })
  })
  return field
}
