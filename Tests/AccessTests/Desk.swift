import Access
