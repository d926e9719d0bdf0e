/**
 * The field that the address asks for (`?field=email`), or null. The page opens with the focus on it. It leaves the
 * address at once: a reload starts at the top.
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
