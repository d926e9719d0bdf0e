import { PatientMessages, Status, TestResult, type ChannelName, type TestRequest } from '../../shared/contract.ts'

/** The module's API, typed by its contract. */
export function useSmsApi() {
  const api = useApi()
  const at = (id: string, action = '') => `/api/v1/sms/patients/${encodeURIComponent(id)}${action}`
  return {
    getPatient: (id: string, locale: string, signal?: AbortSignal) =>
      api.get(at(id), { query: { locale }, signal, answer: PatientMessages }),
    turnOff: (id: string, channel: ChannelName) => api.post(at(id, '/turn-off'), { body: { channel } }),
    turnOn: (id: string, channel: ChannelName) => api.post(at(id, '/turn-on'), { body: { channel } }),
    getStatus: (signal?: AbortSignal) => api.get('/api/v1/sms/status', { signal, answer: Status }),
    test: (body: TestRequest) => api.post('/api/v1/sms/test', { body, answer: TestResult })
  }
}
