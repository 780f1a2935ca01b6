create table if not exists item (
	sku varchar(64) primary key,
	stock int not null
);

create table if not exists orders (
	id bigint generated always as identity primary key,
	sku varchar(64) not null,
	placed_at timestamp default current_timestamp not null
);
