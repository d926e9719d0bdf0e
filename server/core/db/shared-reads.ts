/**
 * Calls for the same clinic in one turn of the event loop share one query, which is sent after all of them, so that no
 * result is older than its call. At any time, most requests are for few clinics.
 */
export function shared<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>()
  return (id) => {
    let answer = waiting.get(id)
    if (!answer) {
      answer = new Promise(resolve => setImmediate(resolve)).then(() => {
        waiting.delete(id)
        return read(id)
      })
      waiting.set(id, answer)
    }
    return answer
  }
}
