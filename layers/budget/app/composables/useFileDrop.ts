/** A file dropped anywhere on the page: beside its field it would be opened in place of the page. */
export function useFileDrop(take: (file: File) => void) {
  /** Something is being dragged over the page. */
  const over = ref(false)

  const listeners = {
    dragover(event: DragEvent) {
      event.preventDefault()
      over.value = true
    },
    dragleave(event: DragEvent) {
      // Moving from one element to the next leaves and enters too; out of the window there is no next.
      if (!event.relatedTarget) over.value = false
    },
    drop(event: DragEvent) {
      event.preventDefault()
      over.value = false
      const file = event.dataTransfer?.files[0]
      if (file) take(file)
    }
  }
  const each = Object.entries(listeners) as [keyof typeof listeners, (event: DragEvent) => void][]
  onMounted(() => each.forEach(([name, listen]) => window.addEventListener(name, listen)))
  onUnmounted(() => each.forEach(([name, listen]) => window.removeEventListener(name, listen)))

  return { over }
}
