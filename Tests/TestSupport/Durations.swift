extension Duration {
    public static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
