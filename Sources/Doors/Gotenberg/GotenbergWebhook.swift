import Browsing
import Bytes
import HTTP
import Transfer
import Work

/// Where a result is to be sent when nobody waits for it.
struct GotenbergWebhook: Sendable {
    private let address: String
    private let errorAddress: String
    private let eventsAddress: String?
    private let method: String
    private let errorMethod: String
    private let headers: [(name: String, value: String)]
    private let trace: (header: String, value: String)
    private let reach: GotenbergSettings.Reach
    private let client: HTTPClient

    /// Nil when the request asks for no webhook.
    init?(_ request: Request, _ settings: GotenbergSettings, trace: String) throws {
        guard !settings.webhooks.isOff, let address = request.headers.first("Gotenberg-Webhook-Url") else {
            return nil
        }
        guard let errorAddress = request.headers.first("Gotenberg-Webhook-Error-Url") else {
            throw GotenbergProblem(400, "Invalid 'Gotenberg-Webhook-Error-Url' header: empty")
        }
        for (web, address) in [
            (settings.webhooks.web, address), (settings.errorWebhooks.web, errorAddress),
        ] where web.objection(to: address) != nil {
            throw GotenbergProblem(403, "Forbidden")
        }
        func method(_ name: String) throws -> String {
            let text = request.headers.first(name)?.uppercased() ?? "POST"
            guard ["POST", "PATCH", "PUT"].contains(text) else {
                throw GotenbergProblem(400, "Invalid '\(name)' header: want 'POST', 'PATCH' or 'PUT'")
            }
            return text
        }
        self.address = address
        self.errorAddress = errorAddress
        eventsAddress = request.headers.first("Gotenberg-Webhook-Events-Url")
        self.method = try method("Gotenberg-Webhook-Method")
        errorMethod = try method("Gotenberg-Webhook-Error-Method")
        var list: [(name: String, value: String)] = []
        if let text = request.headers.first("Gotenberg-Webhook-Extra-Http-Headers") {
            guard let object = (try? JSON(parsing: text))?.object else {
                throw GotenbergProblem(
                    400, "Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header: no JSON object")
            }
            for member in object { if let value = member.value.string { list.append((member.key, value)) } }
        }
        headers = list
        self.trace = (settings.traceHeader, trace)
        reach = settings.webhooks
        client = HTTPClient(guardian: reach.web.guardian)
    }

    func deliver(
        _ outcome: Result<(bytes: [UInt8], mediaType: String, ending: String), any Error>, name: String,
        problem: (any Error) -> GotenbergProblem, _ clock: Clock, _ stopping: Cancellation, _ log: Log
    ) {
        var isDelivered: Bool
        var event: JSONObject = [
            "correlationId": .string(trace.value), "timestamp": .string(clock.now().iso8601),
        ]
        switch outcome {
        case .success(let made):
            isDelivered = send(
                method, address, made.bytes, made.mediaType,
                [
                    (
                        "Content-Disposition",
                        Disposition.text(inline: false, fileName: "\(name).\(made.ending)")
                    )
                ], stopping)
            event["event"] = .string(isDelivered ? "webhook.success" : "webhook.error")
        case .failure(let error):
            let problem = problem(error)
            let view: JSON = ["status": .int(problem.status), "message": .string(problem.message)]
            isDelivered = send(errorMethod, errorAddress, view.bytes, "application/json", [], stopping)
            event["event"] = "webhook.error"
            event["error"] = view
        }
        if !isDelivered { log.warning("a webhook could not be delivered", ["address": address]) }
        if let eventsAddress {
            _ = send("POST", eventsAddress, JSON.object(event).bytes, "application/json", [], stopping)
        }
    }

    /// Some more tries, each after a longer wait.
    private func send(
        _ method: String, _ address: String, _ bytes: [UInt8], _ mediaType: String,
        _ more: [(String, String)], _ stopping: Cancellation
    ) -> Bool {
        var call = HTTPCall(
            method, address, headers: [("Content-Type", mediaType), (trace.header, trace.value)] + more,
            body: .bytes(bytes), timeout: reach.time)
        call.headers += headers
        var pause = reach.shortestPause
        for attempt in 0...max(0, reach.tries) {
            if attempt > 0 {
                let isStopping = Monitor(false)
                let subscription = stopping.whenCancelled { isStopping.update { $0 = true } }
                defer { subscription.cancel() }
                if isStopping.wait(timeout: pause, { $0 ? true : nil }) != nil { return false }
                pause = min(reach.longestPause, pause * 2)
            }
            do throws(TransferError) {
                let answer = try client.send(call, into: .memory(limit: 1 << 20))
                if answer.isSuccess { return true }
                if (400..<500).contains(answer.status), answer.status != 429 { return false }
            } catch {
                if case .forbiddenAddress = error { return false }
                if case .invalidAddress = error { return false }
            }
        }
        return false
    }
}
