/** Accepts a file that is dropped anywhere on the page. Outside a drop target, the browser would open it instead. */
export function useFileDrop(take: (file: File) => void) {
  /** A file is being dragged over the page. */
  const over = ref(false)

  const listeners = {
    dragover(event: DragEvent) {
      event.preventDefault()
      over.value = true
    },
    dragleave(event: DragEvent) {
      // Moving between elements fires `dragleave` too; only on leaving the window is there no related target.
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
