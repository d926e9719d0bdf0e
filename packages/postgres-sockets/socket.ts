import type { Duplex } from 'node:stream'

/** After this time without a statement since its COMMIT or ROLLBACK, the transaction counts as finished. */
const QUIET_MS = 1000
/** ReadyForQuery without its last byte, the state: I outside, T or E inside a transaction. */
const READY = Buffer.from([0x5A, 0, 0, 0, 5])
const IDLE = 'I'.charCodeAt(0)
const FAILED_TRANSACTION = Buffer.concat([READY, Buffer.from('E')])
const ERROR_RESPONSE = 'E'.charCodeAt(0)

/**
 * postgres.js 3.4 crashes when a connection breaks inside a transaction: it drops its socket and then writes the
 * ROLLBACK to it, from a timer whose error no caller can catch (porsager/postgres#1208, #1168). So we give it our own
 * sockets: inside a transaction each statement fails, and the close is emitted only after the transaction's COMMIT or
 * ROLLBACK, however late. After an earlier close the driver would give the connection to another transaction, and late
 * statements of the first, even its COMMIT, would run in that one. Outside of a transaction nothing changes.
 */
export function outliveTransaction(socket: Duplex): Duplex {
  const emit = socket.emit.bind(socket)
  const write = socket.write.bind(socket) as (chunk: Buffer, done?: () => void) => boolean
  let state: 'alive' | 'leaving' | 'refusing' | 'closed' = 'alive'
  let isExplained = false
  let quiet: NodeJS.Timeout | undefined
  const session = watchSession()
  const transaction = watchTransaction()
  const whole = wholeMessages()

  /** A close without an error would never reach the caller: the driver just reconnects. */
  function explain() {
    if (!session.isReady() && !isExplained) emit('error', broken())
  }

  function close() {
    if (state === 'closed') return
    state = 'closed'
    emit('close', false)
  }

  /**
   * postgres.js defers each write to the end of the event loop's turn, and a close before it would silence that
   * connection forever. Timers run after such writes, and during a write no other one is pending.
   */
  function leave() {
    state = 'leaving'
    setTimeout(close, 0)
  }

  /** Answers statements on the broken connection with errors until its transaction is over and silent. */
  function refuse() {
    if (state === 'closed') return
    state = 'refusing'
    emit('error', broken())
    // The driver sends the transaction's queued statements, such as its ROLLBACK, only after ReadyForQuery.
    emit('data', FAILED_TRANSACTION)
    clearTimeout(quiet)
    if (transaction.isOver()) quiet = setTimeout(close, QUIET_MS)
  }

  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === 'data') {
      const messages = whole(args[0] as Buffer)
      const chunk = session.isReady() ? stripShutdownError(messages) : messages
      session.note(chunk)
      return chunk.length > 0 ? emit('data', chunk) : true
    }
    if (event === 'error') {
      isExplained = true
      return emit(event, isLateWrite(args[0]) ? broken() : args[0])
    }
    if (event !== 'close') return emit(event, ...args)
    explain()
    if (session.isInside()) refuse()
    else leave()
    return true
  }
  function send(chunk: Buffer, done?: () => void): boolean {
    if (session.isReady()) transaction.note(chunk) // the messages before that have no type
    if (state === 'alive') return write(chunk, done)
    clearTimeout(quiet)
    if (state === 'leaving') process.nextTick(close)
    else setImmediate(refuse)
    return true
  }
  // Node replaces the method when the server closes first.
  return Object.defineProperty(socket, 'write', { get: () => send, set() {} })
}

/**
 * Between the server's end and the close, Node ends our side and answers later writes with its own error.
 */
const isLateWrite = (error: unknown) =>
  ['ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_DESTROYED'].includes((error as { code?: string }).code ?? '')

const broken = () => Object.assign(new Error('the connection to the database broke'), { code: 'CONNECTION_CLOSED' })

/** The session's state by the server's messages: authenticated, and inside a transaction. */
function watchSession() {
  let state: number | undefined
  return {
    isReady: () => state !== undefined,
    isInside: () => state !== undefined && state !== IDLE,
    /** Complete messages. A notice, such as of an immediate shutdown, may follow the one with the state. */
    note(messages: Buffer) {
      for (let at = 0; at + 5 <= messages.length; at += 1 + messages.readUInt32BE(at + 1)) {
        if (messages[at] === READY[0]) state = messages[at + READY.length]
      }
    }
  }
}

/** The statements with which the driver begins and ends a transaction; ROLLBACK TO ends a savepoint only. */
const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i
const END = /^\s*(?:commit|rollback(?!\s+to\b)|prepare\s+transaction)\b/i
const [PARSE, BIND, QUERY] = ['P', 'B', 'Q'].map(letter => letter.charCodeAt(0))

/**
 * Whether the driver has sent the transaction's COMMIT or ROLLBACK. It always writes whole messages (PostgreSQL:
 * protocol, message formats).
 */
function watchTransaction() {
  const prepared = new Map<string, string>()
  let isOver = false
  function hear(statement = '') {
    if (END.test(statement)) isOver = true
    else if (BEGIN.test(statement)) isOver = false
  }
  return {
    isOver: () => isOver,
    note(chunk: Buffer) {
      for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
        const type = chunk[at]
        if (type === QUERY) hear(textAt(chunk, at + 5))
        if (type !== PARSE && type !== BIND) continue
        const second = textAt(chunk, chunk.indexOf(0, at + 5) + 1)
        if (type === PARSE) prepared.set(textAt(chunk, at + 5), second) // name, statement
        else hear(prepared.get(second)) // portal, name
      }
    }
  }
}

/**
 * The first 60 bytes of a text in a message: enough for a keyword, and for the driver's names of statements.
 */
const textAt = (chunk: Buffer, start: number) =>
  chunk.toString('latin1', start, Math.min(chunk.indexOf(0, start), start + 60))

/**
 * Holds back an incomplete message until its end arrives: a message that we inject must not land in the middle of
 * another.
 */
function wholeMessages() {
  let held: Buffer[] = []
  let [size, due] = [0, 0]
  return (chunk: Buffer): Buffer => {
    held.push(chunk)
    size += chunk.length
    if (size < due) return Buffer.alloc(0)
    const all = held.length === 1 ? chunk : Buffer.concat(held)
    let at = 0
    const end = () => all.length - at < 5 ? at + 5 : at + 1 + all.readUInt32BE(at + 1)
    while (end() <= all.length) at = end()
    due = end() - at
    size = all.length - at
    held = size > 0 ? [all.subarray(at)] : []
    return all.subarray(0, at)
  }
}

/**
 * Drops the server's last message before it closes: postgres.js would pass it to the next connection's first statement.
 */
function stripShutdownError(chunk: Buffer): Buffer {
  if (chunk.at(-1) !== 0 || chunk.at(-2) !== 0) return chunk
  const start = chunk.lastIndexOf('SFATAL\0', undefined, 'latin1') - 5
  const isMessage
    = start >= 0 && chunk[start] === ERROR_RESPONSE && start + 1 + chunk.readUInt32BE(start + 1) === chunk.length
  return isMessage ? chunk.subarray(0, start) : chunk
}
