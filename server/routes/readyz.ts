import { defineEventHandler, setResponseHeader, setResponseStatus } from 'h3'
import { bootState } from '../boot.ts'

export default defineEventHandler((event) => {
  const state = bootState()
  if (state !== 'ready') {
    setResponseStatus(event, 503)
    setResponseHeader(event, 'Retry-After', 1)
  }
  return { status: state }
})
